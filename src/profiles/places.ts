import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Folders } from '../config/folders.ts';
import type { ProfileOrigin } from './profile.ts';

export interface Place {
  readonly origin: ProfileOrigin;
  readonly folder: string;
}

/**
 * Where profiles are looked for, nearest first: the project's, Claude Code's own of the project,
 * the user's, ours.
 */
export function listPlaces(folders: Folders, cwd: string): readonly Place[] {
  const project = listProjectFolders(cwd);
  return [
    ...project.map((folder) => ({ origin: 'project' as const, folder: inProject(folder) })),
    ...project.map((folder) => ({
      origin: 'claude-agents' as const,
      folder: join(folder, '.claude', 'agents'),
    })),
    { origin: 'user', folder: userFolder(folders) },
    { origin: 'built-in', folder: builtInFolder() },
  ];
}

export function userFolder(folders: Folders): string {
  return join(folders.config, 'profiles');
}

/** Of a file by its path. What is in none of our own folders is a project's. */
export function findOrigin(folders: Folders, path: string): ProfileOrigin {
  const folder = dirname(path);
  if (folder === userFolder(folders)) return 'user';
  if (folder === builtInFolder()) return 'built-in';
  return folder.endsWith(join('/', '.claude', 'agents')) ? 'claude-agents' : 'project';
}

/** The top of what one works on. */
export function projectRoot(cwd: string): string {
  return listProjectFolders(cwd).at(-1) ?? cwd;
}

/** Of the whole project, wherever in it one stands. */
export function projectFolder(cwd: string): string {
  return inProject(projectRoot(cwd));
}

function inProject(folder: string): string {
  return join(folder, '.signalbox', 'profiles');
}

/**
 * From here up to the root of the repository; outside of one, only here: a home folder is nobody's
 * project.
 */
function listProjectFolders(cwd: string): readonly string[] {
  const here = resolve(cwd);
  const folders: string[] = [];
  for (let at = here; ; at = dirname(at)) {
    folders.push(at);
    // In a worktree it is a file.
    if (existsSync(join(at, '.git'))) return folders;
    if (dirname(at) === at) return [here];
  }
}

/** Beside this file in the source, beside the program in the package. */
function builtInFolder(): string {
  const folders = ['./profiles', './built-in'].map((relative) =>
    fileURLToPath(new URL(relative, import.meta.url)),
  );
  return folders.find((folder) => existsSync(join(folder, 'developer.md'))) ?? folders[0] ?? '';
}
