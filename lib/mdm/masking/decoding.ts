const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Undoes URL, JSON and HTML encoding, in which a service may repeat a value. Invalid sequences stay. */
export function decodeOnce(text: string): string {
  if (!/[%&\\]/.test(text)) return text;
  return text
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decodePercent)
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replaceAll(/\\(["\\/])/g, '$1')
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (encoded, digits: string) => characterOf(parseInt(digits, 16), encoded))
    .replaceAll(/&#(\d{1,7});/g, (encoded, digits: string) => characterOf(Number(digits), encoded))
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name]!);
}

function decodePercent(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

const characterOf = (code: number, encoded: string) => (code <= 0x10ffff ? String.fromCodePoint(code) : encoded);
