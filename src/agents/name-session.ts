import { basename, dirname } from 'node:path';
import { nameForm } from './agent-name.ts';

/** Where agents work that belong to no project. */
export const defaultSession = 'default';

/**
 * Names for the session of the project with this root, the best first and without end: its folder's
 * name, and then numbers behind it.
 */
export function* nameSession(root: string): Generator<string, never> {
  const stem = nameOf(root);
  if (stem !== defaultSession) yield stem;
  for (let n = 2; ; n++) yield `${stem}-${n}`;
}

/**
 * Of a repository without a working tree the name is that of its folder: `shop.git`, `shop/.bare`.
 */
function nameOf(root: string): string {
  const own = basename(root, '.git');
  const folder = own === '' || own.startsWith('.') ? basename(dirname(root)) : own;
  const plain = folder
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  const name = [...plain]
    .slice(0, mostLetters)
    .join('')
    .replace(/[-.]+$/, '');
  return nameForm.test(name) ? name : 'project';
}

/** There is room for a number behind them. */
const mostLetters = 40;
