/** What was just set in motion goes before its answer: two turns of the event loop, in which nothing waits for anybody. */
export async function giveWay(): Promise<void> {
  await turn();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
