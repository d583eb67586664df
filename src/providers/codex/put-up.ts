import { join } from 'node:path';
import { asArray, parseObject } from '../../shared/json.ts';
import { readFileText } from '../../shared/open-file.ts';
import type { AgentContext } from '../provider.ts';
import type { HelperProgram, PutUp } from '../way-in.ts';
import { appServerSocket } from './app-server.ts';

/** In the run folder: how this life's app-server was started. */
const noteFile = 'app-server.json';

/** The app-server as a helper, and the note by which it can be started again. */
export function planAppServer(
  runFolder: string,
  argv: readonly string[],
): {
  readonly helper: HelperProgram;
  readonly note: { readonly path: string; readonly text: string };
} {
  return {
    helper: { name: 'app-server', argv, readyPath: appServerSocket(runFolder) },
    note: { path: noteFile, text: `${JSON.stringify({ argv })}\n` },
  };
}

/**
 * An app-server that ended alone leaves its terminal program reconnecting for good. A new one on
 * the same path takes its place: it binds over what a killed one left, and refuses where one still
 * listens; the terminal program connects to it and loads the conversation that it shows (0.166.0).
 */
export async function putUp({ runFolder }: Pick<AgentContext, 'runFolder'>): Promise<PutUp> {
  const argv = await readNote(join(runFolder, noteFile));
  if (argv === undefined) {
    const why = 'nothing says how its app-server was started; restart the agent to start both anew';
    return { outcome: 'cannot', why };
  }
  return { outcome: 'start', helper: planAppServer(runFolder, argv).helper };
}

async function readNote(path: string): Promise<readonly string[] | undefined> {
  // One that cannot be read says as little as one that is not there, and the same helps.
  const text = await readFileText(path).catch(() => undefined);
  const argv = asArray(parseObject(text ?? '')?.['argv']);
  const words = argv.filter((word) => typeof word === 'string');
  return words.length > 0 && words.length === argv.length ? words : undefined;
}
