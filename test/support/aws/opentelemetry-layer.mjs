/* The same layer for modules that are imported, as Lambda's Node.js 24 runtime imports a function. */
import { register } from 'node:module';

register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
await import('./opentelemetry-layer.cjs');
