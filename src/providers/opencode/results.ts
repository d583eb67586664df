import { asArray, asObject } from '../../shared/json.ts';
import type { AgentContext } from '../provider.ts';
import { awaitInResults } from '../tool-results.ts';
import { askServer, findServer } from './server.ts';

/** Of messages: a call is of one of the last steps. */
const pageSize = 20;

/** After each step OpenCode 1.18.33 cancels the calls of MCP tools that were answered in it. */
export async function findInResults(
  { runFolder, conversation }: AgentContext,
  ends: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const address = findServer(runFolder);
  if (!address || address === 'unreadable' || conversation === undefined) return [];
  const path = `/session/${encodeURIComponent(conversation)}/message?limit=${pageSize}`;
  return awaitInResults(ends, signal, async () =>
    readResults(asArray((await askServer(address, path, signal)).body)),
  );
}

export function readResults(messages: readonly unknown[]): readonly string[] {
  return messages
    .flatMap((message) => asArray(asObject(message)['parts']).map(asObject))
    .filter(({ type, state }) => type === 'tool' && asObject(state)['status'] === 'completed')
    .map(({ state }) => JSON.stringify(asObject(state)['output'] ?? ''));
}
