/** A month's use. */
export interface Use {
  readonly name: string;
  /** Calls over the HTTP API, of MDM operations and stream commands together. */
  readonly httpCalls: number;
  /** Records enqueued and consumed; each is also a call. */
  readonly records: number;
  /** Mean size of a record and of a response, in kB. */
  readonly recordKb: number;
  /** Mean duration of an MDM call, in milliseconds. */
  readonly mdmMs: number;
  readonly consumers: number;
  readonly configRefs: number;
  /** Warm containers, each of which reads its secret every five minutes. */
  readonly containers: number;
  readonly availabilityZones: number;
  /** How functions in the VPC reach AWS and the MDM. */
  readonly network: 'none' | 'nat' | 'nat and endpoints';
  readonly hasKmsKey: boolean;
}

export const SIZES: Readonly<Record<'small' | 'medium' | 'large', Use>> = {
  small: {
    name: 'Small: a first tenant, an existing Redis',
    httpCalls: 100_000,
    records: 100_000,
    recordKb: 2,
    mdmMs: 200,
    consumers: 1,
    configRefs: 1,
    containers: 3,
    availabilityZones: 1,
    network: 'none',
    hasKmsKey: false,
  },
  medium: {
    name: 'Medium: a company, ElastiCache in a VPC',
    httpCalls: 2_000_000,
    records: 5_000_000,
    recordKb: 2,
    mdmMs: 200,
    consumers: 4,
    configRefs: 1,
    containers: 20,
    availabilityZones: 2,
    network: 'nat',
    hasKmsKey: true,
  },
  large: {
    name: 'Large: 100 million records a month, several tenants',
    httpCalls: 20_000_000,
    records: 100_000_000,
    recordKb: 2,
    mdmMs: 200,
    consumers: 20,
    configRefs: 3,
    containers: 120,
    availabilityZones: 3,
    network: 'nat and endpoints',
    hasKmsKey: true,
  },
};
