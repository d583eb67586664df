/**
 * What was just accepted, or told of, is carried before anybody is answered: two turns of the event loop. Its claim begins 0.3 to
 * 0.5 ms sooner (traced), and the answer comes later by about the length of that claim.
 */
export async function giveWay(): Promise<void> {
  await turn();
  await turn();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
