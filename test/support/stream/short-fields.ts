/** A script that adds entries of twenty fields, name and value of one character each. KEYS stream; ARGV entries. */
export const FILL_SHORT = `for at = 1, ARGV[1] do
  local fields = {}
  for name = 97, 116 do fields[#fields + 1] = string.char(name); fields[#fields + 1] = '1' end
  redis.call('XADD', KEYS[1], '1700000000000-' .. at, unpack(fields))
end`;
