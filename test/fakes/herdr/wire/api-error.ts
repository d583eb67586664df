/** A refusal that the client sees as `{"error":{"code","message"}}`. */
export class ApiError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function notFound(kind: 'workspace' | 'tab' | 'pane' | 'agent', id: string): ApiError {
  return new ApiError(`${kind}_not_found`, `${kind} ${id} not found`);
}
