/** What an agent may do without asking a person, least first: one ordered scale for all CLIs, each of which names its own modes. */
export type Permission = 'read-only' | 'ask' | 'edit' | 'all';
