/** How calls travel: `httpTransport`, `lambdaTransport`, or one of your own. */
export interface Transport {
  /**
   * Carries one call.
   *
   * @param operation name of the operation, `stream-xadd`
   * @param payload the parameters, as JSON
   * @param signal aborts the call; it then rejects, with any error
   * @returns the output as JSON, empty for none
   * @throws {OperationError} when the operation fails, or gives no response
   */
  send(operation: string, payload: string, signal?: AbortSignal): Promise<string>;
}
