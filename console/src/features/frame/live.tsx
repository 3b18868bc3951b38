import { useEffect } from 'react'
import { usePlace } from '../../lib/api.ts'
import { followLive } from '../../lib/live.ts'

/** Draws nothing. It is loaded after the screen, which was just fetched. */
export default function Live() {
  const place = usePlace()
  useEffect(() => followLive(place), [place])
  return null
}
