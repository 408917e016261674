import type { Node } from '../declarations';

/** Options say how something is done. Some are about deleting alone, which their names tell. */
export const isDeleteOption = ({ name }: Node) => /^(allow_delete|force$)/.test(name);
