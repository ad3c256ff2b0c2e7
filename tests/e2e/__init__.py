"""The built page in a real browser, on the real server: each test asserts what a person sees."""
