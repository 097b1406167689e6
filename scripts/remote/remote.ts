/** A deployment. */
export interface Remote {
  readonly stage: string;
  /** Default: that of the environment or the profile. */
  readonly region?: string;
  /** First part of its names. Default: `SERVICE`. */
  readonly service?: string;
}

/** That of `npm run deploy`, and the default of the CDK construct and the Terraform module. */
export const SERVICE = 'mdm-stream';
