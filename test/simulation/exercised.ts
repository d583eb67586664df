/** What no message of these histories has shown, of all that some of them must show. */
export function listUnexercised(causes: ReadonlySet<string>): readonly string[] {
  const isMissing = (what: RegExp): boolean => ![...causes].some((cause) => what.test(cause));
  return exercised.filter(isMissing).map(String);
}

/**
 * What must have happened to some message in some of them; otherwise they prove less than they seem
 * to.
 */
const exercised: readonly RegExp[] = [
  /^claimed: claimed for native/,
  /^claimed: claimed for turn-boundary/,
  /^claimed: claimed for mid-turn/,
  /^claimed: claimed for paste/,
  /^claimed: claimed for pull/,
  /^queued: not taken/,
  /^queued: the hook did not confirm it/,
  /^queued: proven not landed/,
  /^queued: proven not landed: taken back out of the queue/,
  /^queued: offered once more, marked/,
  /^queued: the CLI took it out of the conversation/,
  /^queued: handed out again/,
  /^queued: the command that took it died/,
  /^queued: its line was read in a life that has ended/,
  /^uncertain: its holder .* died/,
  /^uncertain: lost sight of it/,
  /^uncertain: epoch \d+ ended/,
  /^uncertain: no proof of it came/,
  /^uncertain: no answer of the agent followed/,
  /^uncertain: the conversation that holds it was left/,
  /^uncertain: it stood in the conversation, and no answer came/,
  /^injected: the agent still holds it/,
  /^injected: sent, unconfirmed/,
  /^seen: read by the model/,
  /^seen: not in context/,
  /^acked: taken by the agent/,
  /^expired: its time to live passed/,
  /^dead: its recipient was removed/,
  /^dead: the last marked copy is uncertain too/,
  /^superseded: /,
];
