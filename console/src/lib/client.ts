import { Relance, type RelanceOptions } from '@relance/sdk'

/** In a file of its own: nothing of it is needed to draw the frame of a page. */
export const newClient = (options: RelanceOptions): Relance => new Relance(options)
