import type { Ports } from '../stack/ports.ts';
import { DEFAULT_PORTS } from '../stack/names.ts';

/** Prints calls to try on the running stack. */
export function printTryIt({ http, lambda }: Ports): void {
  const url = `http://localhost:${http}`;
  const port = lambda === DEFAULT_PORTS.lambda ? '' : ` --lambda-port ${lambda}`;
  const key = { businessEntity: 'c360.city', sourceSystem: 'crm', sourcePKey: '1' };
  const record = { name: 'Atlantis', asciiName: 'atlantis', country: { Code: 'GR' } };
  const other = { businessEntity: 'c360.city', sourceSystem: 'gazetteer', sourcePKey: 'atlantis' };
  const idOf = ({ sourceSystem, sourcePKey }: typeof key) => ({ sourceSystem, sourcePKey });
  const merge = { businessEntity: 'c360.city', records: [idOf(key), idOf(other)] };
  const call = (route: string, parameters: object) => `curl -s ${url}${route} -d '${JSON.stringify(parameters)}'`;
  console.log(`
Serving, until Ctrl-C:
  ${url}/docs          every operation, to try in a browser
  ${url}/console       streams, runs and dead letters live, and a switch that breaks the MDM
  ${url}/openapi.json

Try it, in another terminal:
  ${call('/mdm/search', { businessEntity: 'c360.city', search: 'Lagos' })}
  ${call('/mdm/source-enqueue', { ...key, record })}
  # the enqueue wakes the consumer; a second later:
  ${call('/mdm/master-read', key)}
  # a merge by hand, of two names that no rule matches:
  ${call('/mdm/source-submit', { ...other, record: { ...record, name: 'Atlantida', asciiName: 'atlantida' } })}
  ${call('/mdm/merge', merge)}
  ${call('/mdm/master-read', { ...key, showContentMeta: true })}
  npm run invoke --${port} stream-xadd '{"key":"orders","entry":{"sku":"1"}}'`);
}
