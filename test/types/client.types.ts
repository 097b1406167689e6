import { createClient, type Client, type OperationError, type OperationErrorType } from '../../lib/client/index.ts';

/*
 * Type tests of the client: `npm run types-check` fails where a line compiles that must not, or the other way round.
 * Nothing here runs.
 */

declare const client: Client;
const city = { businessEntity: 'c360.city' };

// Parameters with a default may be left out, arrays are arrays, outputs have their types.
export const id: Promise<string | null> = client.invoke('stream-xadd', { key: 'orders', entry: { sku: '1' } });
export const acknowledged = (ids: string[]): Promise<number> =>
  client.invoke('stream-xack', { key: 'k', group: 'g', ids });
export const entries: AsyncIterable<{ id: string }> = client.entries({ key: 'orders', count: 10 });
export const records: AsyncIterable<Record<string, unknown>> = client.records({ ...city, search: '*', pageSize: 10 });

// One lookup form.
void client.invoke('mdm-master-read', { ...city, businessId: 'M1' });
void client.invoke('mdm-master-read', { ...city, sourceSystem: 's', sourcePKey: '1' });
// @ts-expect-error -- neither of the two is given
void client.invoke('mdm-master-read', { ...city });
// @ts-expect-error -- both at the same time
void client.invoke('mdm-master-read', { ...city, businessId: 'M1', sourceSystem: 's', sourcePKey: '1' });
// @ts-expect-error -- half a source key
void client.invoke('mdm-master-read', { ...city, sourceSystem: 's' });

// Search by text or by fields.
void client.invoke('mdm-search', { ...city, fields: { name: 'Bonn' } });
// @ts-expect-error -- neither of the two is given
void client.invoke('mdm-search', { ...city });
// @ts-expect-error -- both at the same time
void client.invoke('mdm-search', { ...city, search: 'Bonn', fields: { name: 'Bonn' } });
// @ts-expect-error -- paging is the client's
void client.records({ ...city, search: 'Bonn', pageOffset: 2 });

// One way of eviction.
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10 } });
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { id: '1-0', exactTrimming: false, limit: 10 } });
// @ts-expect-error -- neither of the two is given
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { exactTrimming: false } });
// @ts-expect-error -- both at the same time
void client.invoke('stream-xtrim', { key: 'k', evictionOption: { maxLength: 10, id: '1-0' } });

// @ts-expect-error -- there is no such operation
void client.invoke('stream-xfoo', {});
// @ts-expect-error -- key is required
void client.invoke('stream-xadd', { entry: { a: '1' } });
// @ts-expect-error -- there is no such parameter
void client.invoke('stream-xadd', { key: 'k', entry: { a: '1' }, ttl: 1 });
// @ts-expect-error -- a client needs a transport
void createClient();

/** An exhaustive switch over the types of an error. */
export function explain({ type }: OperationError): string {
  switch (type) {
    case 'MDM:CLIENT_ERROR':
    case 'STREAM:ARGUMENT':
    case 'STREAM:WRONG_TYPE':
      return 'the call';
    case 'MDM:SERVER_ERROR':
    case 'MDM:TIMEOUT':
    case 'MDM:CONNECTIVITY':
    case 'STREAM:COMMAND':
      return 'the other side';
    case 'CONNECTOR:CONFIGURATION':
    case 'CONNECTOR:INTERNAL':
      return 'the connector';
    case 'CLIENT:TRANSPORT':
      return 'the way';
    default:
      return type satisfies never;
  }
}
export const types: OperationErrorType[] = ['CLIENT:TRANSPORT'];
