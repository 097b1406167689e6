/** An element of a connector that has an operation here. */
export interface Replacement {
  readonly operation: string;
  /** Parameters with another name here, by their name in Mule. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** What is different, for the report. */
  readonly notes?: readonly string[];
}

/** Older versions of the connector call them so. */
const WATERMARKS = { streams: 'streamWatermarks' };

/** Elements of the MDM connector (`b360:`), by local name. */
const MDM: Record<string, Replacement> = {
  'master-read': { operation: 'mdm-master-read' },
  search: {
    operation: 'mdm-search',
    renamed: { entityType: 'businessEntity', sorts: 'sort' },
    notes: [
      'the records are in `payload.searchResult.records`',
      'a page has 200 records unless you say otherwise; `allPages` reads on, as the connector does',
    ],
  },
  'source-read': { operation: 'mdm-source-read' },
  'source-submit': { operation: 'mdm-source-submit', renamed: { body: 'record' } },
  'meta-data-read': { operation: 'mdm-metadata-read' },
  'metadata-read': { operation: 'mdm-metadata-read' },
  'http-request': {
    operation: 'mdm-http-request',
    renamed: { queryParameters: 'query', customHeaders: 'headers', requestBody: 'body' },
    notes: ['`throwOnError: false` returns a response of any status, as the connector does'],
  },
};

/** Elements of the Redis connector (`lettuce-redis:`), by local name. */
const STREAM: Record<string, Replacement> = {
  xadd: { operation: 'stream-xadd' },
  xrange: { operation: 'stream-xrange' },
  xread: { operation: 'stream-xread', renamed: WATERMARKS },
  xreadgroup: { operation: 'stream-xreadgroup', renamed: WATERMARKS },
  xack: { operation: 'stream-xack' },
  xdel: { operation: 'stream-xdel' },
  xtrim: { operation: 'stream-xtrim' },
  'xgroup-create': { operation: 'stream-xgroup-create' },
  'xgroup-destroy': { operation: 'stream-xgroup-destroy' },
  'xinfo-groups': { operation: 'stream-xinfo-groups' },
};

/** Both connectors, by the end of their XML namespace. */
export const CONNECTORS: Readonly<Record<string, { name: string; elements: Readonly<Record<string, Replacement>> }>> = {
  '/b360': { name: 'b360', elements: MDM },
  '/lettuce-redis': { name: 'lettuce-redis', elements: STREAM },
};
