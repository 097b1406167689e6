import { expect, it } from '@jest/globals';
import { readParameters } from '#deploy/read-parameters.ts';
import { functionRole } from '#deploy/roles.ts';
import { functions } from '#scripts/build/functions.ts';

const LAYER = 'arn:aws:lambda:eu-central-1:901920570463:layer:aws-otel-nodejs-arm64-ver-1-30-2:1';

it.each([[['tracing=on']], [[`otelLayerArn=${LAYER}`]], [['tracing=on', `otelLayerArn=${LAYER}`]]])(
  'a function that is traced has the rights of X-Ray once: %j',
  (commandLine) => {
    const deployment = readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: {} });

    const role = JSON.stringify(functionRole(functions[0]!, deployment));

    expect(role.match(/xray:PutTraceSegments/g)).toHaveLength(1);
  },
);
