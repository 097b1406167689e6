import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers every login and every call the same, after `latencyMs`. */
export interface MdmServer {
  readonly url: string;
  latencyMs: number;
  /** Requests so far. */
  readonly calls: number;
  close(): void;
}

const RECORD = {
  _meta: {
    businessId: 'MDM00000000001',
    businessEntity: 'c360.person',
    states: { base: 'ACTIVE', validation: 'PASSED', consolidation: 'CONSOLIDATED' },
    createdBy: 'bench',
    creationDate: 1_700_000_000_000,
    updatedBy: 'bench',
    lastUpdateDate: 1_700_000_000_000,
  },
  firstName: 'Lewis',
  PostalAddress: [{ _id: '3d4a', country: { Name: 'United States', Code: 'US' } }],
};

/**
 * A master data API that costs as little as it can, so that what is measured is its client. The sandbox would spend
 * more on each call than the client does.
 */
export async function startMdmServer(): Promise<MdmServer> {
  const record = JSON.stringify(RECORD);
  let calls = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    calls++;
    const isLogin = request.url!.endsWith('/login');
    const body = isLogin ? JSON.stringify({ userInfo: { sessionId: 'bench' }, products: [] }) : record;
    const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    request.resume().once('end', () => void (mdm.latencyMs > 0 && !isLogin ? setTimeout(send, mdm.latencyMs) : send()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const mdm: MdmServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    latencyMs: 0,
    get calls() {
      return calls;
    },
    close: () => void server.close().closeAllConnections(),
  };
  return mdm;
}
