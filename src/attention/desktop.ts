import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../shared/fault.ts';
import { findOnPath, isProgram } from '../shared/find-on-path.ts';
import type { Words } from './words.ts';

/** What shows a notification on this machine, or why nothing can. */
export type Notifier =
  | { readonly kind: 'notify-send' | 'osascript'; readonly program: string }
  | { readonly kind: 'none'; readonly why: string; readonly next: string };

/** Part of macOS since 10.9, and always there. */
const osascript = '/usr/bin/osascript';

/**
 * Looked for each time: a daemon may live longer than the desktop session it was started in, and
 * be started before there is one.
 */
export async function findNotifier(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<Notifier> {
  try {
    return platform === 'darwin' ? await findOnMac() : await findOnLinux(env);
  } catch (error) {
    // The disk gives no answer: nothing can be shown, whatever is installed.
    if (!(error instanceof Fault)) throw error;
    return { kind: 'none', why: error.message.replace(/\.$/, ''), next: error.next };
  }
}

async function findOnMac(): Promise<Notifier> {
  if (await isProgram(osascript)) return { kind: 'osascript', program: osascript };
  return { kind: 'none', why: `${osascript} is missing`, next: 'It is a part of macOS.' };
}

async function findOnLinux(env: NodeJS.ProcessEnv): Promise<Notifier> {
  const program = await findOnPath('notify-send', env['PATH'] ?? '');
  if (program === undefined) {
    return {
      kind: 'none',
      why: 'notify-send is not installed',
      next: 'Install libnotify-bin (Debian, Ubuntu) or libnotify (Fedora, Arch).',
    };
  }
  if (hasBus(env)) return { kind: 'notify-send', program };
  return {
    kind: 'none',
    why: 'there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR)',
    next: 'Run `signalbox down` and `signalbox up` in a terminal of your desktop.',
  };
}

/** As libdbus looks for it: the variable, then the socket of the user's own session. */
function hasBus(env: NodeJS.ProcessEnv): boolean {
  if (env['DBUS_SESSION_BUS_ADDRESS']) return true;
  const folder = env['XDG_RUNTIME_DIR'];
  if (!folder) return false;
  try {
    return statSync(join(folder, 'bus')).isSocket();
  } catch {
    // Whatever is in the way of a look is in the way of the notifier as well.
    return false;
  }
}

/** The command line, word by word; no shell reads it. */
export function notifyWords(
  { kind, program }: Exclude<Notifier, { readonly kind: 'none' }>,
  { title, body }: Words,
): readonly string[] {
  if (kind === 'osascript') {
    // The texts are arguments of the script and no part of it: nothing in them is run. The title
    // begins with a name, and what follows the first argument is never an option.
    return [
      program,
      ...['-e', 'on run argv'],
      ...['-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
      ...['-e', 'end run'],
      ...[`signalbox: ${title}`, body],
    ];
  }
  return [program, '--app-name=signalbox', '--', `signalbox: ${title}`, escapeBody(body)];
}

/**
 * A body may hold markup, by the specification; a title may not. notify-send 0.8.1 reads escapes
 * such as `\n` in a body.
 */
function escapeBody(body: string): string {
  return body
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\\', '\\\\');
}
