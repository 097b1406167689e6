import { describe, expect, it } from '@jest/globals';
import { parametersOf, type DeployedTemplate } from '#deploy/deployed-parameters.ts';
import { commitOfCheckout } from '#deploy/commit.ts';
import { changesOf, storedParametersOf } from '#deploy/parameter-changes.ts';
import { readParameters } from '#deploy/read-parameters.ts';
import { templateOf } from '#deploy/template.ts';
import * as release from '../../support/releases/1.0.0.ts';

/* What a deployment changes of the parameters of a stack. The older stack's template is as 1.0.0 packaged it. */

const read = (file: Record<string, unknown> = {}) =>
  readParameters({ service: 'mdm-stream', stage: 'prod', commandLine: [], file, blocks: {} });
const stored = (file: Record<string, unknown> = {}) => storedParametersOf(read(file), { version: '1.1.0' });
const before = (template: DeployedTemplate) => parametersOf(template, stored());
describe("a deployed stack's parameters", () => {
  it("a deployed stack's parameters are read from a 1.0.0 template", () => {
    expect(before(release.template)).toEqual({ effective: stored(release.GIVEN).effective, given: expect.any(Array) });
    expect([...before(release.template).given].sort()).toEqual(Object.keys(release.GIVEN).sort());
  });

  it("a deployed stack's parameters are stored in its template, with the version that deployed it", () => {
    const template = templateOf(read(release.GIVEN)).resources as DeployedTemplate;

    expect(before(template)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      commit: commitOfCheckout(),
      effective: stored(release.GIVEN).effective,
      given: Object.keys(release.GIVEN).sort(),
    });
  });
});

describe('a deployment', () => {
  it('a deployment with the same parameters changes nothing', () => {
    expect(changesOf(before(release.template), stored(release.GIVEN))).toEqual([]);
  });

  it('a deployment resets every parameter that is no longer given', () => {
    const changes = changesOf(before(release.template), stored());

    expect(changes.map(({ name }) => name).sort()).toEqual(Object.keys(release.GIVEN).sort());
    expect(changes.filter(({ isReset }) => !isReset)).toEqual([]);
    expect(changes).toContainEqual({ name: 'consumers', from: '4', to: '1', isReset: true });
    expect(changes).toContainEqual(expect.objectContaining({ name: 'vpcSubnetIds', to: undefined }));
  });

  it('a deployment changes a parameter to its new value, even if that is the default', () => {
    expect(changesOf(stored({ consumers: 4 }), stored({ consumers: 1 }))).toEqual([
      { name: 'consumers', from: '4', to: '1', isReset: false },
    ]);
  });

  it('a deployment changes a default of an older version without a reset', () => {
    const older = { ...stored(), effective: { ...stored().effective, logRetentionInDays: '14' } };

    expect(changesOf(older, stored())).toEqual([{ name: 'logRetentionInDays', from: '14', to: '30', isReset: false }]);
  });
});
