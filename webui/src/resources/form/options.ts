import type { Node } from '../../declarations/declarations';

/** Options say how something is done. Some are about deleting alone, which their names tell. */
export const isDeleteOption = ({ name }: Node) => /^(allow_delete|force$)/.test(name);

/** Options that say what is shown, and change nothing: a form shows what it would do by itself. */
const ASKS = /^(recommend|show_spares|simulate)$/;

export const isFormOption = (option: Node) => !isDeleteOption(option) && !ASKS.test(option.name);
