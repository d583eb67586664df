/**
 * Whether a text can be the id of a conversation. CLIs tell theirs by hooks, which an agent's own
 * programs can forge, and the next life is started with it: one that begins with a hyphen would be
 * an option there, and no CLI makes such ids.
 */
export function isConversationId(text: string): boolean {
  return /^[\p{L}\p{N}_][^\s\p{Cc}\p{Surrogate}]{0,199}$/u.test(text);
}
