import { Agent } from 'node:http';
import fetch from 'node-fetch';

const agent = new Agent({ keepAlive: true });
const headers = { accept: 'application/json', 'ids-session-id': 'bench' };

interface Call {
  businessEntity: string;
  businessId: string;
}

/** Reads a golden record with node-fetch over a connection that is kept open, and nothing else. */
export async function handler({ businessEntity, businessId }: Call): Promise<unknown> {
  const path = `/business-entity/public/api/v1/entity/${businessEntity}/${businessId}`;
  const response = await fetch(process.env.BENCH_MDM_URL + path, { agent, headers });
  return response.json();
}
