declare module 'asl-validator' {
  /** Checks a state machine against the Amazon States Language. */
  const validate: (definition: unknown) => { isValid: boolean; errors: object[] };
  export default validate;
}
