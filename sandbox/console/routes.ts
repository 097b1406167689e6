import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundlePage } from './bundle.ts';
import { setCondition } from './condition.ts';
import { chooseCities } from '../demo/dataset.ts';
import { Feed } from './feed.ts';
import { CONDITIONS, type Condition } from './messages.ts';
import { RunLog } from './run-log.ts';
import { invoke } from '../stack/lambda.ts';
import type { FrontParts } from '../stack/stack.ts';
import { readState } from './state.ts';

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri " +
    "'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
};
const STYLES = ['../../functions/api/docs/page/style.css', 'uplot/dist/uPlot.min.css', './page/style.css'];

/** Number of cities that the feed changes. */
const FED_CITIES = 500;

/** The routes under `/console`: the page, its state, and its switches. */
export async function routeConsole(parts: FrontParts) {
  const feed = new Feed(parts.post, chooseCities(FED_CITIES));
  const runs = new RunLog(parts.logPath);
  let condition: Condition = 'healthy';
  const script = await bundlePage();
  const style = STYLES.map((path) => readFileSync(fileURLToPath(import.meta.resolve(path)), 'utf8')).join('\n');
  const page = readFileSync(new URL('./page/index.html', import.meta.url), 'utf8');

  const routes: Record<string, (body: string) => Reply | Promise<Reply>> = {
    'GET /console': () => document('text/html; charset=utf-8', page),
    'GET /console/app.js': () => document('text/javascript; charset=utf-8', script),
    'GET /console/app.css': () => document('text/css; charset=utf-8', style),
    'GET /console/state': async () => json(await readState(parts, { condition, feed, runs })),
    'POST /console/run': async () => json(JSON.parse(await invoke(parts.lambdaPort, 'stream-consumer', '{}'))),
    'POST /console/mdm': (body) => {
      const wanted = member(body, 'condition');
      if (!CONDITIONS.includes(wanted as Condition))
        return refused(`condition must be one of ${CONDITIONS.join(', ')}`);
      condition = wanted as Condition;
      setCondition(parts.mdm, condition);
      return json({ condition });
    },
    'POST /console/feed': (body) => {
      const perSecond = member(body, 'perSecond');
      if (typeof perSecond !== 'number' || !(perSecond >= 0 && perSecond <= 1000)) {
        return refused('perSecond must be a number from 0 to 1000');
      }
      feed.perSecond = perSecond;
      return json({ perSecond });
    },
  };
  return {
    async route(methodAndPath: string, body: string): Promise<Reply> {
      const found = Object.hasOwn(routes, methodAndPath) ? routes[methodAndPath] : undefined;
      if (!found) return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
      return found(body);
    },
    close() {
      feed.close();
    },
  };
}

const document = (contentType: string, body: string): Reply => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-cache', ...SECURITY },
  body,
});
const json = (value: unknown): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

/** A member of a JSON object; undefined if it is missing. */
function member(body: string, name: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

const refused = (message: string): Reply => ({ status: 400, headers: { 'content-type': 'text/plain' }, body: message });
