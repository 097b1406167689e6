import { ConnectorError } from '../../core/errors.ts';

/**
 * A path under `root`, each segment encoded.
 *
 * `encodeURIComponent` keeps dots and URLs drop dot segments, so `..` would reach another resource. It is refused, and
 * so is text without a UTF-8 form.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for an empty or dot segment.
 * @example
 * pathOf('/entity', 'c360.person', 'a b') // '/entity/c360.person/a%20b'
 */
export function pathOf(root: string, ...segments: string[]): string {
  for (const segment of segments) {
    if (segment === '' || /^\s*\.{1,2}\s*$/.test(segment) || !segment.isWellFormed()) {
      throw new ConnectorError('MDM:CLIENT_ERROR', 'An id or key is empty, made of dots, or not well-formed Unicode');
    }
  }
  return [root, ...segments.map(encodeURIComponent)].join('/');
}

/** Words of the API's own paths, besides those of configured paths. */
const API_WORDS =
  'tenantModel datamodel businessEntity referenceEntity relationship view externalResource Ingress Egress ' +
  'filter saas core login logout';

/**
 * The decoded segments of a path that may be keys: no words of the API's own paths, no entity of a record, and no words
 * of lower-case letters only.
 *
 * @param roots the configured paths of the API
 * @example
 * keysIn('/entity/c360.person/crm/a%20b', { entity: '/entity' }) // ['a b']
 */
export function keysIn(path: string, roots: Readonly<Record<string, string>>): string[] {
  const root = Object.values(roots).find((candidate) => path.startsWith(`${candidate}/`));
  const segments = (root === undefined ? path : path.slice(root.length)).split('/').slice(1);
  const isRecords = root !== undefined && /entity/i.test(root.slice(root.lastIndexOf('/')));
  const words = new Set([...API_WORDS.split(' '), ...Object.values(roots).flatMap((known) => known.split('/'))]);
  return segments
    .slice(isRecords ? 1 : 0)
    .map(decodeSegment)
    .filter((segment) => !words.has(segment) && !/^(?:v\d+|[a-z]*)$/.test(segment));
}

/** Decodes a segment; keeps an invalid one. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
