import type { Node } from '../../declarations/declarations';

/** Options of requests. Some are for deleting alone, by their names. */
export const isDeleteOption = ({ name }: Node) => /^(allow_delete|force$)/.test(name);

/** Options of answers, which change nothing: a form has a preview of its own. */
const ASKS = /^(recommend|show_spares|simulate)$/;

export const isFormOption = (option: Node) => !isDeleteOption(option) && !ASKS.test(option.name);
