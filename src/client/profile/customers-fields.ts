/**
 * Fields that a customer writes, by a place's lower-case names. A status that is read there would be the customer's:
 * a name can be SUCCESS, too.
 */
export const customersFields = String.raw`(?:^|\.)(?:account|customer|payer|payee|holder)|name$|number$|e-?mail|address|phone|reference$|url$`
