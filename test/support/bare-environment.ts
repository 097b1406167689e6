/** All that a script may have of the surroundings of the tests: where programs are, and what Node has compiled. */
export const BARE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: process.env.PATH!,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE!,
};
