/** How calls travel: `httpTransport`, `lambdaTransport`, or one of your own. */
export interface Transport {
  /**
   * Carries one call.
   *
   * @param operation name of the operation, `stream-xadd`
   * @param payload the parameters, as JSON
   * @param signal aborts the call; it then rejects, with any error
   * @returns the output as JSON, empty without one
   * @throws {OperationError} if the operation fails or does not respond
   */
  send(operation: string, payload: string, signal?: AbortSignal): Promise<string>;
}
