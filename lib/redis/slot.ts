/** CRC16 as Redis Cluster uses it (XMODEM: polynomial 0x1021, start 0). */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc & 0xffff;
}

/**
 * The slot of a key in a Redis Cluster, 0 to 16383. Only the part between the first `{` and the next `}` counts, if it
 * is not empty. (The client computes slots too, but does not export that.)
 *
 * @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags
 * @example
 * slotOf('{orders}:eu') === slotOf('orders')
 */
export function slotOf(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open);
  return crc16(Buffer.from(close > open + 1 ? key.slice(open + 1, close) : key)) % 16_384;
}
