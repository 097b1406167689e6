import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** How often the MDM does what, 0 to 1. */
export interface Faults {
  /** 500, 429 with Retry-After, 503, before anything is taken. */
  refuses: number;
  /** Ends the connection before it takes the record. */
  resets: number;
  /** Takes the record, and ends the connection instead of answering. */
  losesAnswers: number;
  /** Does not take the record, and never answers. */
  hangs: number;
}

export const NO_FAULTS: Faults = { refuses: 0, resets: 0, losesAnswers: 0, hangs: 0 };
/** Retry-After stops everything, so it is rare. */
const REFUSALS = [429, 500, 500, 500, 500, 503, 503, 503, 503];

export interface LedgerMdm {
  readonly url: string;
  faults: Faults;
  /** How it treats keys that begin with `bad`: a status, or no response at all. Default: as others. */
  badKeys: number | 'hang' | undefined;
  /** Requests so far. */
  attempts: number;
  close(): Promise<void>;
}

/** As much of the MDM as a submit needs, which writes down in the ledger what it takes. */
export async function startLedgerMdm(ledger: Ledger, random: Random, latencyMs: () => number): Promise<LedgerMdm> {
  const respond = (response: ServerResponse, status: number, body: object, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const record = JSON.parse(await text(request)) as { seq: number; broken?: boolean };
    const key = new URL(request.url!, mdm.url).searchParams.get('sourcePKey')!;
    const { refuses, resets, losesAnswers, hangs } = mdm.faults;
    mdm.attempts++;
    if (mdm.badKeys !== undefined && key.startsWith('bad')) {
      if (mdm.badKeys === 'hang') return;
      await sleep(latencyMs());
      return void respond(response, mdm.badKeys, { errorCode: 'CHAOS_BAD' });
    }
    if (random.happens(hangs)) return;
    if (random.happens(resets)) return void request.socket.destroy();
    await sleep(latencyMs());
    if (random.happens(refuses)) {
      const status = REFUSALS[random.between(0, REFUSALS.length - 1)]!;
      return void respond(response, status, { errorCode: 'CHAOS' }, status === 429 ? { 'retry-after': '1' } : {});
    }
    if (record.broken) return void respond(response, 422, { errorCode: 'CHAOS_BROKEN' });
    ledger.take(key, record.seq);
    if (random.happens(losesAnswers)) return void request.socket.destroy();
    respond(response, 200, { approvalRequired: false, id: key, businessId: key });
  };

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    serve(request, response).catch(() => response.destroy()); // the consumer was killed
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const mdm: LedgerMdm = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: NO_FAULTS,
    badKeys: undefined,
    attempts: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return mdm;
}
