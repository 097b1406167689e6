/** A Lua script: see scripts/build/lua-module.ts. */
declare module '*.lua' {
  const lua: import('./redis.ts').Lua;
  export default lua;
}
