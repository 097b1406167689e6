import { ConnectorError } from '../core/errors.ts';

/**
 * A path under `root`, each segment encoded.
 *
 * `encodeURIComponent` leaves dots alone and URLs take dot segments away, so `..` would reach another resource: it is
 * refused, like what has no UTF-8 form.
 *
 * @throws {ConnectorError} `MDM:CLIENT_ERROR` for an empty or dot segment.
 * @example
 * pathOf('/entity', 'c360.person', 'a b') // '/entity/c360.person/a%20b'
 */
export function pathOf(root: string, ...segments: string[]): string {
  for (const segment of segments) {
    if (/^\.{0,2}$/.test(segment) || !segment.isWellFormed()) {
      throw new ConnectorError('MDM:CLIENT_ERROR', 'An id or key is empty, made of dots, or not well-formed Unicode');
    }
  }
  return [root, ...segments.map(encodeURIComponent)].join('/');
}

/** The decoded segments of a path; one that is not well encoded stays as it is. */
export function segmentsOf(path: string): string[] {
  return path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}
