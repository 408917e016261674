/** The method of a call to a resource. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
