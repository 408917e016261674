/** What a call does to a resource. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
