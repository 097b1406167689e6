/**
 * Changes of a source record that may go through a stream: repeating one does no harm. Without a name it is a submit.
 */
export const STREAM_OPERATIONS = ['submit', 'replace', 'delete'] as const;
