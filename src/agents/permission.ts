/**
 * What an agent may do without asking a person, least first: one ordered scale for all CLIs, each
 * of which names its own modes.
 */
export type Permission = (typeof permissions)[number];

const permissions = ['read-only', 'ask', 'edit', 'all'] as const;

export function isAtMost(permission: Permission, limit: Permission): boolean {
  return permissions.indexOf(permission) <= permissions.indexOf(limit);
}

/** A word of the scale; undefined for anything else, such as a CLI's own name of a mode. */
export function parsePermission(text: string): Permission | undefined {
  return permissions.find((permission) => permission === text);
}
