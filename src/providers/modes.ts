import type { Permission } from '../agents/permission.ts';
import type { Role } from '../agents/role.ts';
import { findOption, hasOption } from './options.ts';

/**
 * One of a CLI's own modes of permission: where it stands on the one scale, and what starts the CLI
 * in it.
 */
interface Mode {
  readonly permission: Permission;
  readonly args: readonly string[];
}

type OnScale = Pick<Mode, 'permission'>;

/**
 * By the CLI's own names. Of two at the same step the first is the one that a role gets which names
 * the step alone.
 */
export type Modes<M extends OnScale = Mode> = Readonly<Record<string, M>>;

/**
 * The mode that a role asks for: by the CLI's own name, or by its step on the scale; where the CLI
 * has none at that step, the next one below. Undefined: none is asked for, or one that this CLI is
 * not known to have.
 */
export function chooseMode<M extends OnScale>(modes: Modes<M>, role: Role): M | undefined {
  const { permission, permissionMode } = role;
  if (permissionMode !== undefined) {
    return Object.hasOwn(modes, permissionMode) ? modes[permissionMode] : undefined;
  }
  if (permission === undefined) return undefined;
  return scale
    .slice(0, scale.indexOf(permission) + 1)
    .map((step) => Object.values(modes).find((mode) => mode.permission === step))
    .findLast((mode) => mode !== undefined);
}

/**
 * A name that we do not know is handed on: the profile asked for it, and the CLI knows best what it
 * has.
 */
export function chooseModeArgs(modes: Modes, role: Role, option: string): readonly string[] {
  const mode = chooseMode(modes, role);
  if (mode) return mode.args;
  return role.permissionMode === undefined ? [] : [`${option}=${role.permissionMode}`];
}

/**
 * What a person's own arguments say, where an option names the mode and others give everything
 * away.
 */
export function readModeOption(
  modes: Modes,
  args: readonly string[],
  { option, bypasses }: { readonly option: string; readonly bypasses: readonly string[] },
): Permission | undefined {
  if (hasOption(args, bypasses)) return 'all';
  const name = findOption(args, [option]);
  if (name === undefined) return undefined;
  return Object.hasOwn(modes, name) ? modes[name]?.permission : 'all';
}

/** As a provider's capabilities tell it. */
export function placeOnScale(modes: Modes<OnScale>): Readonly<Record<string, Permission>> {
  return Object.fromEntries(
    Object.entries(modes).map(([name, { permission }]) => [name, permission]),
  );
}

const scale: readonly Permission[] = ['read-only', 'ask', 'edit', 'all'];
