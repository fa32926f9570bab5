//! Places of many old_strings in one text, CRLF and LF alike.
