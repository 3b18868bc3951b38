/** The examples of the README as one program: each goes on where the one before ended. */
export const readmeProgram = (readme: string): string =>
  [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!).join('\n')
