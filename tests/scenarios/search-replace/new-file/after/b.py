all of it
