const OPERATORS = /[*|!<>"]|\.\./;

/** Return the filter for a text anywhere in a value; a query in the array's own language stays as it is. */
export const anywhere = (text: string) => (OPERATORS.test(text) ? text : `*${text}*`);
