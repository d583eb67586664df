import { settingNames, terminalChoices } from '../../config/setting-definitions.ts';
import type { Wanted } from './find-wanted.ts';
import { shells } from './scripts.ts';

/** What is looked up for the word at the cursor. */
export type Source =
  | 'agents'
  | 'providers'
  | 'profiles'
  | 'sessions'
  | 'files'
  | 'folders'
  | { readonly words: readonly string[] };

/** Undefined: nobody has thought about that placeholder. */
export function findSources({ path, placeholder = '' }: Wanted): readonly Source[] | undefined {
  return byPlace[`${path} ${placeholder}`] ?? byPlaceholder[placeholder];
}

/** One name means different things there. */
const byPlace: Readonly<Record<string, readonly Source[]>> = {
  'profile show name': ['profiles'],
  'profile rm name': ['profiles'],
  'config get name': [{ words: settingNames }],
  'config set name': [{ words: settingNames }],
  'config set value': [{ words: terminalChoices }, 'providers'],
};

const nothing: readonly Source[] = [];

/** By the name in the help text, whatever command it is. */
const byPlaceholder: Readonly<Record<string, readonly Source[]>> = {
  agent: ['agents'],
  agents: ['agents'],
  to: ['agents', 'profiles', 'providers'],
  'provider|profile': ['providers', 'profiles'],
  provider: ['providers'],
  session: ['sessions'],
  file: ['files'],
  folder: ['folders'],
  'folder|file': ['files'],
  'file|name': ['profiles', 'files'],
  states: [
    {
      words: [
        ...['queued', 'claimed', 'injected', 'seen', 'acked'],
        ...['uncertain', 'superseded', 'expired', 'dead'],
      ],
    },
  ],
  'allow|deny': [{ words: ['allow', 'deny'] }],
  shell: [{ words: shells }],
  pattern: [{ words: ['agent.*.status', 'agent.*.*', 'message.*.*', 'message.*.dead'] }],
  tail: ['files'],
  // Only the user knows.
  message: nothing,
  messages: nothing,
  name: nothing,
  // It is copied from what was shown.
  question: nothing,
  'K=V': nothing,
  model: nothing,
  text: nothing,
  // They belong behind `--`.
  words: nothing,
  task: nothing,
  title: nothing,
  key: nothing,
  span: nothing,
  n: nothing,
  'x,y': nothing,
  version: nothing,
};
