/** A text of the array's, in which names of fields, paths and values stand between backticks. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}

/** The same where nothing but text can stand. */
export const withoutMarks = (text: string) => text.replaceAll('`', '');
