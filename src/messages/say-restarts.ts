/** Which start of an agent's program is meant, where that is not the first; for a person. */
export function sayRestarts(epoch: number): string {
  const restarts = epoch - 1;
  if (restarts < 1) return '';
  return restarts === 1 ? ', after 1 restart' : `, after ${restarts} restarts`;
}
