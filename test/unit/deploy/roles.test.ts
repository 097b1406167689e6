import { expect, it } from '@jest/globals';
import { readParameters } from '#deploy/read-parameters.ts';
import { functionRole } from '#deploy/roles.ts';
import { functions } from '#scripts/build/functions.ts';

const OTEL = 'arn:aws:lambda:eu-central-1:901920570463:layer:aws-otel-nodejs-arm64-ver-1-30-2:1';
const xadd = functions.find(({ name }) => name === 'stream-xadd')!;

it.each([[['tracing=on']], [[`otelLayerArn=${OTEL}`]], [['tracing=on', `otelLayerArn=${OTEL}`]]])(
  'a role may write traces, and says so once: %j',
  (commandLine) => {
    const deployment = readParameters({ service: 'mdm-stream', stage: 'prod', commandLine, blocks: {} });
    const role = JSON.stringify(functionRole(xadd, deployment));

    expect(role.match(/xray:PutTraceSegments/g)).toHaveLength(1);
  },
);
