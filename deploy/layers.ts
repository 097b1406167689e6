import type { Deployment } from './parameters.ts';

/** The layers of every function. */
export function layersOf({ otelLayerArn, layers = [] }: Deployment): readonly string[] {
  return otelLayerArn === undefined ? layers : [otelLayerArn, ...layers];
}

/** By which a layer of OpenTelemetry starts a function. */
export const WRAPPER_VARIABLE = 'AWS_LAMBDA_EXEC_WRAPPER';
/** The wrapper of layers of OpenTelemetry; AWS' own names it otherwise. */
export const WRAPPERS: readonly { readonly wrapper: string; readonly layer?: string }[] = [
  { wrapper: '/opt/otel-handler' },
  { wrapper: '/opt/otel-instrument', layer: ':layer:AWSOpenTelemetryDistroJs' },
];

export function wrapperOf({ otelLayerArn }: Deployment): Record<string, string> {
  if (otelLayerArn === undefined) return {};
  const { wrapper } = WRAPPERS.findLast(({ layer = '' }) => otelLayerArn.includes(layer))!;
  return { [WRAPPER_VARIABLE]: wrapper };
}
