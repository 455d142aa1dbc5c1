export const takesText = true;

export const check = () => (text) => JSON.parse(text) !== undefined;
